/** A rule of the service, where it is implemented, and a test that fails if it is broken. */
export interface ServiceRule {
  readonly rule: string
  /** A file under `src/`. */
  readonly code: string
  /** A file under `test/` without its ending, and the name of a test in it, as its source has it. */
  readonly test: readonly [file: string, name: string]
}

/** The rules of one subject. */
export interface RuleChapter {
  readonly title: string
  readonly rules: readonly ServiceRule[]
}

export function rule(text: string, code: string, file: string, name: string): ServiceRule {
  return { rule: text, code, test: [file, name] }
}
