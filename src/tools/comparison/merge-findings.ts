import type { Finding } from './compare/change.js'

/** Merges equal findings about several operations. */
export function mergeFindings(findings: readonly Finding[]): readonly Finding[] {
  const ofTypes = merged(findings, ({ code, type, member, sentence }) => JSON.stringify([code, type, member, sentence]))
  // A finding about operations of several types is about the service.
  return merged(ofTypes, ({ code, type, member, sentence }) =>
    JSON.stringify(member === null ? [code, sentence] : [code, type, member, sentence]),
  )
}

function merged(findings: readonly Finding[], keyOf: (finding: Finding) => string): readonly Finding[] {
  const groups = new Map<string, Finding>()
  for (const finding of findings) {
    const key = keyOf(finding)
    const known = groups.get(key)
    groups.set(key, known === undefined ? finding : together(known, finding))
  }
  return [...groups.values()]
}

function together(one: Finding, other: Finding): Finding {
  return {
    ...one,
    type: one.type === other.type ? one.type : null,
    operations: [...new Set([...one.operations, ...other.operations])],
    // One operation that is not deprecated is enough to break clients.
    deprecation: one.deprecation && other.deprecation ? laterEnd(one.deprecation, other.deprecation) : null,
  }
}

type Deprecation = NonNullable<Finding['deprecation']>

function laterEnd(one: Deprecation, other: Deprecation): Deprecation {
  if (one.sunset === null || other.sunset === null) return { sunset: null }
  return Date.parse(one.sunset) >= Date.parse(other.sunset) ? one : other
}
