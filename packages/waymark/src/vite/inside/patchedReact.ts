import type { PatchId } from './textPatches.ts'

/**
 * What became of a change to another package's text: `not possible` where the text is another one,
 * `off` by the option `patches`.
 */
export type PatchState = 'applied' | 'not possible' | 'off'

/** What an app goes without while a patch is not applied. All else works. */
const losses: Readonly<Record<PatchId, string>> = {
  'node-react': 'The first page of the dev server takes longer, and more memory',
  'dev-references': 'The dev server takes more memory with each edit',
}

export type PatchReport = ReturnType<typeof createPatchReport>

/** Collects what became of each patch, and prints once what is not possible. */
export function createPatchReport(print: (line: string) => void, isOn: () => boolean) {
  const states = new Map<PatchId, PatchState>()
  return {
    isOn,
    record(id: PatchId, state: PatchState, reason = 'the text is another one'): void {
      // One file without it counts, whatever became of the others.
      if (states.get(id) === 'not possible') return
      states.set(id, state)
      if (state === 'not possible')
        print(`Waymark does without ${id}: ${reason}. ${losses[id]}; all else works.`)
    },
    stateOf: (id: PatchId) => states.get(id),
    states: (): Readonly<Record<string, PatchState>> =>
      Object.fromEntries([...states].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
