// An application installs only the libraries that it uses: only the entries that need one ask for it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { execPath } from 'node:process'

const needing = {
  'ashlar/sql': 'kysely',
  'ashlar/drizzle': 'drizzle-orm',
  'ashlar/hono': 'hono',
  'ashlar/jwt': 'jose',
  'ashlar/nest': '@nestjs/common',
  'ashlar/opentelemetry': '@opentelemetry/api',
}

const specifiers = JSON.parse(readFileSync('specifiers.json', 'utf8'))
for (const specifier of specifiers) {
  const library = needing[specifier]
  if (library === undefined) await import(specifier)
  else
    await assert.rejects(
      import(specifier),
      (error) => error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(library),
    )
}

// The viewer of OpenAPI needs a package too, which only servers with a viewer ask for.
const { createServer } = await import('ashlar')
const { memoryData } = await import('ashlar/memory')
const withViewer = (viewer) => () => createServer({ resources: [], data: memoryData(), openapi: { viewer } })
assert.doesNotThrow(withViewer(false))
assert.throws(
  withViewer(true),
  /openapi\.viewer: needs the package 'swagger-ui-dist'.*Remedy: run npm install swagger-ui-dist/,
)

const manifest = JSON.parse(readFileSync('node_modules/ashlar/package.json', 'utf8'))
const bin = `node_modules/ashlar/${manifest.bin.ashlar}`
assert.match(readFileSync(bin, 'utf8'), /^#!\/usr\/bin\/env node\n/)
const ashlar = (...words) => execFileSync(execPath, [bin, ...words], { encoding: 'utf8', stdio: 'pipe' })
assert.match(ashlar('--help'), /^Usage: ashlar <command>/)
assert.equal(ashlar('check', 'catalogue.mjs'), '1 type, 5 routes: no faults.\n')
assert.throws(() => ashlar('check', 'absent.mjs'), { status: 2 })
assert.throws(
  () => ashlar('check', 'faulty.mjs'),
  (error) => error.status === 1 && error.stderr.startsWith('The server cannot be built: one fault.\n'),
)

// A command that needs database libraries names all of them, and how to install them.
assert.throws(
  () => ashlar('pull', 'postgres://127.0.0.1:1/shop'),
  (error) =>
    error.status === 2 &&
    error.stderr === 'ashlar pull needs the packages kysely and pg. Install with: npm install kysely pg\n',
)

// So does reading a contract in YAML.
writeFileSync('contract.yaml', 'openapi: 3.1.0\n')
assert.throws(
  () => ashlar('diff', 'contract.yaml', 'catalogue.mjs'),
  (error) => error.status === 2 && error.stderr.includes("install the package 'yaml': npm install --save-dev yaml"),
)
