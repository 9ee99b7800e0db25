/** Any text. Editors suggest these ones. */
export type Suggestion<Text extends string> = Text | (string & {})
