import type { PatchId } from './textPatches.ts'

/**
 * What became of a change to another package's text: `not needed` where the package does it by itself, or
 * where the build has no such code; `not possible` where the text is another one; `off` by the option
 * `patches`.
 */
export type PatchState = 'applied' | 'not needed' | 'not possible' | 'off'

/** What an app goes without while a patch is not applied. All else works. */
const losses: Readonly<Record<PatchId, string>> = {
  'row-writer': 'rendering takes more processor time',
  'render-lifetime': 'rendering takes more processor time',
  'fizz-text': 'documents take more processor time',
  'lazy-retries': 'React.lazy keeps what could not be loaded until the page is loaded again',
  'dom-internals': 'pages load more JavaScript',
  'action-encoder': 'pages load more JavaScript',
  'preload-helper': 'import() of the app has no deadline and no retries',
  'browser-runtime': 'pages load more JavaScript',
  'asset-integrity': 'scripts that React preloads have no integrity',
  'dev-references': 'the dev server takes more memory with each edit',
}

export type PatchReport = ReturnType<typeof createPatchReport>

/**
 * Collects what became of each patch.
 * @param print called once for each patch that is not possible
 */
export function createPatchReport(print: (line: string) => void) {
  const states = new Map<PatchId, PatchState>()
  return {
    record(id: PatchId, state: PatchState, reason = 'the text is another one'): void {
      // One file without it counts, whatever became of the others.
      if (states.get(id) === 'not possible') return
      states.set(id, state)
      if (state === 'not possible')
        print(`Waymark does without ${id}: ${reason}. ${sentence(losses[id])}`)
    },
    stateOf: (id: PatchId) => states.get(id),
    /** By name, for the build's manifest. */
    states: (): Readonly<Record<string, PatchState>> =>
      Object.fromEntries([...states].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}; all else works.`
}
