/** Tells the loader how to load a script. Sent as JSON in an attribute. */
export type ScriptOrder = {
  readonly src: string | null
  readonly text: string | null
  readonly when: 'head' | 'start' | 'idle' | 'visible' | 'interaction'
  readonly each: boolean
  readonly consent: string | null
  readonly integrity: string | null
  readonly module: boolean
  readonly attributes: Readonly<Record<string, string>>
}

/** State of a script: the `detail` of the `waymark:script` event on window. */
export type ScriptNews = {
  /** The script's `id`, URL or text. Of scripts with the same name, only one runs. */
  readonly name: string
  readonly state: 'loaded' | 'failed'
}

/** States of all scripts so far, by name, for code that starts to listen later. */
export type ScriptStates = Map<string, ScriptNews['state']>
