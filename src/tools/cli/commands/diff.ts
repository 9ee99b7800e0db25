import { readFile } from 'node:fs/promises'
import { compareContracts } from '../../comparison/compare-contracts.js'
import type { Change } from '../../comparison/compare/change.js'
import type { Command, ExitCode, Outcome, Output } from '../command.js'
import { defineCommand } from '../command.js'
import { readAcceptances, sortChanges } from '../diff/accepted-changes.js'
import type { Comparison } from '../diff/change-report.js'
import { markdownReport, textReport } from '../diff/change-report.js'
import { readSide } from '../diff/read-side.js'
import { paintFor } from '../paint.js'
import { serverOption } from '../shared-options.js'

const formats = ['text', 'markdown'] as const
const limits = ['breaking', 'risky', 'never'] as const

/** `ashlar diff <old> <new>`: reports which changes of a service break its clients. */
export const diff: Command = defineCommand(
  {
    name: 'diff',
    summary: 'reports which changes of a service break its clients',
    description: [
      'Compares two contracts, and prints each change with its severity for clients: breaking, risky or safe. Requests and responses have different rules: a new value is safe where clients send it, and risky where they read it. Something that was deprecated with a sunset may be removed after that day.',
      'Each of the two is an OpenAPI document that Ashlar has written, a JavaScript module that exports a server, or a commit: a branch, a tag or an id. From a commit, the command reads openapi.json or openapi.yaml (openapi.<server>.json for a named server) in the folder of the other argument, or in a folder above it. main:path/to/openapi.json names another file of the commit.',
      'A file of accepted changes has a line for each change, as the output shows it in brackets, with a reason: member-removed albums.rating # No client reads it.',
    ],
    parameters: [
      { name: 'old', noun: 'the old contract', completes: 'file' },
      { name: 'new', noun: 'the new one (a document, a module or a commit)', completes: 'file' },
    ],
    options: {
      'fail-on': {
        kind: 'value',
        value: 'severity',
        description: 'the lowest severity that ends with 1: breaking, risky, or never. Default: breaking',
        completes: limits,
      },
      accept: {
        kind: 'value',
        value: 'file',
        description: 'a file of accepted changes, which do not count',
        completes: 'file',
      },
      build: {
        kind: 'value',
        value: 'command',
        description:
          'checks out commits to a temporary folder, builds them there with this command, and loads their module, instead of reading a document',
        completes: 'nothing',
      },
      server: serverOption,
      all: { kind: 'flag', description: 'also lists changes of descriptions, titles, examples and tags' },
      format: { kind: 'value', value: 'text|markdown', description: 'Default: text', completes: formats },
    },
    examples: [
      {
        call: 'ashlar diff openapi.json dist/server.js',
        description: 'What do my changes break? openapi.json is the document of the last release.',
      },
      {
        call: 'ashlar diff main dist/server.js',
        description: 'Compares with the document that is committed on main.',
      },
      {
        call: "ashlar diff v1.2.0 dist/server.js --build 'npm run build'",
        description: 'Without a committed document: builds the tag.',
      },
      {
        call: 'ashlar diff origin/main openapi.json --format markdown',
        description: 'For a comment on a pull request.',
      },
    ],
    exitCodes: {
      0: 'No changes of the severity of --fail-on, or all of them are accepted.',
      1: 'There are changes of that severity.',
      2: 'No result: the arguments are invalid, a document, module or commit cannot be read, or a server cannot be built.',
    },
  },
  async ({ old, new: newer, accept, build, server, all, format, 'fail-on': failOn }, output) => {
    const acceptances = accept === null ? [] : readAcceptances(await readFile(accept, 'utf8'), accept)
    const options = { server: server ?? 'default', build }
    const before = await readSide(old, { ...options, other: newer }, output)
    const after = await readSide(newer, { ...options, other: old }, output)
    const changes = compareContracts(before.contract, after.contract, { now: new Date() })
    const listed = all ? changes : changes.filter(({ code }) => code !== 'text-changed')
    const comparison = { from: before.name, to: after.name, ...sortChanges(listed, acceptances) }
    return report(comparison, { failOn: failOn ?? 'breaking', format: format ?? 'text' }, output)
  },
)

interface ReportOptions {
  readonly failOn: string
  readonly format: string
}

function report(comparison: Comparison, { failOn, format }: ReportOptions, output: Output): Outcome {
  output.out(format === 'markdown' ? markdownReport(comparison) : textReport(comparison, paintFor(output)))
  const { open, accepted, unused, from, to } = comparison
  const countOf = (severity: Change['severity']): number => open.filter((change) => change.severity === severity).length
  const counts = {
    breaking: countOf('breaking'),
    risky: countOf('risky'),
    safe: countOf('safe'),
    accepted: accepted.length,
  }
  return { code: codeOf(counts, failOn), result: { from, to, failOn, counts, changes: open, accepted, unused } }
}

function codeOf({ breaking, risky }: { readonly breaking: number; readonly risky: number }, failOn: string): ExitCode {
  if (failOn === 'never') return 0
  return breaking > 0 || (failOn === 'risky' && risky > 0) ? 1 : 0
}
