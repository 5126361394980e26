/** A chunk that loads once a page can be used: at idle, or when it is first needed. */
export type LazyModule<Code> = {
  /** `null` until it is there. */
  readonly loaded: Code | null
  /** @returns rejects when it can't be loaded now: the next call tries again */
  load(): Promise<Code>
}

export function createLazyModule<Code>(fetchCode: () => Promise<Code>): LazyModule<Code> {
  let loaded: Code | null = null
  let loading: Promise<Code> | null = null

  async function load(): Promise<Code> {
    try {
      loaded = await fetchCode()
      return loaded
    } catch (error) {
      loading = null
      throw error
    }
  }
  return {
    get loaded() {
      return loaded
    },
    load() {
      loading ??= load()
      return loading
    },
  }
}
