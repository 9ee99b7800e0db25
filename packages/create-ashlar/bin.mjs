#!/usr/bin/env node
// @ts-check
/** `npm create ashlar`: runs `ashlar init` of the package `@ashlar/cli`, with the same arguments. */
import { readFileSync } from 'node:fs'
import { argv } from 'node:process'

const manifest = import.meta.resolve('@ashlar/cli/package.json')
const { bin } = JSON.parse(readFileSync(new URL(manifest), 'utf8'))
argv.splice(2, 0, 'init')
await import(new URL(bin['ashlar-cli'], manifest).href)
