import { expect, test } from 'vitest'
import { missingBindingsText } from '../../scripts/missing-bindings.mjs'
import { sourceFolder } from '../support/source-folder.js'

const arm = { os: 'linux', cpu: 'arm64', libc: 'glibc' }

const names = ['linux-arm64-gnu', 'linux-arm64-musl', 'linux-x64-gnu', 'darwin-arm64', 'win32-x64-msvc']

/** The lock names the platform of some bindings, and lacks those that the registry did not have. */
const lock = {
  packages: {
    '': { name: 'music' },
    'node_modules/rolldown': {
      version: '1.2.18',
      optionalDependencies: Object.fromEntries(names.map((name) => [`@rolldown/binding-${name}`, '1.2.18'])),
    },
    'node_modules/@rolldown/binding-linux-x64-gnu': { version: '1.2.18', os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
    'node_modules/@rolldown/binding-darwin-arm64': { version: '1.2.18', os: ['darwin'], cpu: ['arm64'] },
    'node_modules/site/node_modules/esbuild': {
      version: '0.21.5',
      optionalDependencies: { '@esbuild/linux-arm64': '0.21.5', 'source-map-support': '*' },
    },
    'node_modules/site/node_modules/@esbuild/linux-arm64': { version: '0.21.5', os: ['linux'], cpu: ['arm64'] },
    'node_modules/fortune': { version: '5.0.0', optionalDependencies: { '@fortune/linux-arm64': '5.0.0' } },
  },
}

function folder(...installed: readonly string[]): string {
  return sourceFolder({
    'package-lock.json': JSON.stringify(lock),
    ...Object.fromEntries(installed.map((name) => [`node_modules/${name}/package.json`, '{}'])),
  })
}

const complete = [
  'rolldown',
  '@rolldown/binding-linux-arm64-gnu',
  'site/node_modules/esbuild',
  // npm may also install it for other packages.
  '@esbuild/linux-arm64',
]

test('a machine with a binding of each installed package lacks nothing', () => {
  expect(missingBindingsText(folder(...complete), arm)).toBeNull()
  expect(
    missingBindingsText(folder('rolldown', '@rolldown/binding-darwin-arm64'), {
      os: 'darwin',
      cpu: 'arm64',
      libc: null,
    }),
  ).toBeNull()
})

test('each missing binding is named with its package, the platform and the remedy', () => {
  expect(missingBindingsText(folder('rolldown', 'site/node_modules/esbuild'), arm)).toBe(
    `Native packages are missing for this platform (linux arm64 glibc):
  - @rolldown/binding-linux-arm64-gnu 1.2.18, which rolldown 1.2.18 needs
  - @esbuild/linux-arm64 0.21.5, which esbuild 0.21.5 needs
Remedy: run 'npm ci'. If that does not help, the registry does not have the package: 'npm view <package> versions' lists what it has.
Set a version in package.json that exists for all platforms, and run 'npm install' and 'node scripts/complete-lock.mjs'.`,
  )
})

test('the binding of another processor or C library does not count', () => {
  const path = folder('rolldown', '@rolldown/binding-linux-x64-gnu', '@rolldown/binding-linux-arm64-gnu')
  expect(missingBindingsText(path, { ...arm, libc: 'musl' })).toContain(
    '(linux arm64 musl):\n  - @rolldown/binding-linux-arm64-musl 1.2.18, which rolldown 1.2.18 needs\n',
  )
  expect(missingBindingsText(path, { ...arm, cpu: 'x64' })).toBeNull()
})

test('this machine has all of them', () => {
  expect(missingBindingsText()).toBeNull()
})
