/** What the loader is told of a script, as JSON in an attribute. */
export type ScriptOrder = {
  readonly src: string
  readonly when: 'head' | 'start' | 'idle' | 'visible' | 'interaction'
  readonly each: boolean
  readonly consent: string | null
  readonly integrity: string | null
  readonly module: boolean
  readonly attributes: Readonly<Record<string, string>>
}
