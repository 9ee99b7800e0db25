// @ts-check
import { manifest } from './project.mjs'

/** The versions of Node that are tested: the lowest version of the oldest line, and the newest of the others. @type {Readonly<Record<string, string>>} */
export const nodeVersions = { 20: `${manifest.engines.node.replace('>=', '')}.0`, 22: '22', 24: '24', 26: '26' }
