/** Describes a script to the loader, as JSON in an attribute. */
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

/** State of a script: the detail of the window's event `waymark:script`. */
export type ScriptNews = {
  /** Its attribute `id`, else its URL or text: scripts with one name run once. */
  readonly name: string
  readonly state: 'loaded' | 'failed'
}

/** The states so far, by name, for who listens late. */
export type ScriptStates = Map<string, ScriptNews['state']>
