// Importing changes nothing: package.json says `sideEffects: false`, and bundlers believe it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import process from 'node:process'

const builtIns = [Object, Array, Function, String, Number, Date, Map, Set, Promise, Error, RegExp, JSON, Math]

function surroundings() {
  return {
    globals: Reflect.ownKeys(globalThis),
    builtIns: builtIns.map((value) => [Reflect.ownKeys(value), Reflect.ownKeys(value.prototype ?? {})]),
    listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
    environment: { ...process.env },
    running: process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name.startsWith('TCP')),
  }
}

const specifiers = JSON.parse(readFileSync('specifiers.json', 'utf8'))
// The first dynamic import makes node itself load a few things.
await import('node:http')
// NestJS defines some globals itself.
await import('@nestjs/core')
const before = surroundings()
for (const specifier of specifiers) await import(specifier)
assert.deepEqual(surroundings(), before)
