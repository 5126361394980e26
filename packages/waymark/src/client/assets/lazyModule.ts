/** A chunk that is loaded at idle or when it is first needed. */
export type LazyModule<Code> = {
  readonly loaded: Code | null
  /** Rejects if the chunk can't be loaded. The next call tries again. */
  load(): Promise<Code>
}

export function createLazyModule<Code>(fetchCode: () => Promise<Code>): LazyModule<Code> {
  let loading: Promise<Code> | null = null
  const lazy = {
    loaded: null as Code | null,
    async load(): Promise<Code> {
      loading ??= fetchCode()
      try {
        lazy.loaded = await loading
        return lazy.loaded
      } catch (error) {
        loading = null
        throw error
      }
    },
  }
  return lazy
}
