/** Any text. Editors suggest the given ones. */
export type Suggestion<Text extends string> = Text | (string & {})
