type Late = typeof import('./late.ts')

/** The code that comes once a page can be used: at idle, or when it is first needed. */
export type LateCode = {
  /** `null` until it is there. */
  readonly loaded: Late | null
  /** @returns rejects when it can't be had now: the next call tries again */
  load(): Promise<Late>
}

/** Makes what loads it. */
export function createLateCode(): LateCode {
  let loaded: Late | null = null
  let loading: Promise<Late> | null = null

  async function load(): Promise<Late> {
    try {
      loaded = await import('./late.ts')
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
