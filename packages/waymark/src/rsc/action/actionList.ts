import { loadServerAction } from '@vitejs/plugin-rsc/rsc.node'
import type { BuiltActions } from '../../shared/buildManifest.ts'
import type { ActionSettings } from '../../shared/settings.ts'
import type { PageApp } from '../page/pageRequest.ts'
import { loadCode } from '../page/routeModules.ts'
import type { Idempotency } from './idempotency.ts'

/** A server action, as the app wrote it. */
export type ActionFunction = (...args: unknown[]) => unknown

/** An action of the app, not loaded yet. */
export type ListedAction = {
  readonly id: string
  /** Route files that reach it, relative to the app folder. */
  readonly files: readonly string[]
}

/** @returns `null` for what is no action of this build */
export type FindAction = (id: string) => ListedAction | null

/** The actions of an app, as the build or the dev server knows them. */
export type ListedActions = { readonly isEmpty: () => boolean; readonly find: FindAction }

export type ActionList = ReturnType<typeof createActionList>

/** The actions that may be called. Nothing of a request is decoded before its action was found. */
export function createActionList(listed: ListedActions) {
  const loaded = new Map<string, ActionFunction>()

  async function load(id: string): Promise<ActionFunction> {
    // plugin-rsc follows any id, prototypes included: it gets only what was found.
    const run: unknown = await loadCode(loadServerAction(id), `The code of the action ${id}`)
    if (typeof run !== 'function') throw new Error(`The action ${id} is no function.`)
    // The dev server may replace its module.
    if (!import.meta.env?.DEV) loaded.set(id, run as ActionFunction)
    return run as ActionFunction
  }

  return {
    /** Whether the app has none at all. */
    get isEmpty() {
      return listed.isEmpty()
    },
    find: listed.find,
    /** @returns the function itself once it was loaded, else a promise of it */
    load: ({ id }: ListedAction) => loaded.get(id) ?? load(id),
  }
}

/** Looks actions up in a build: by what was listed, never through a prototype. */
export function findBuiltAction(actions: BuiltActions): FindAction {
  const listed = new Map(Object.entries(actions).map(([id, files]) => [id, { id, files }]))
  return (id) => listed.get(id) ?? null
}

/** What actions need from the app. */
export type ActionApp = PageApp & {
  readonly actions: ActionList
  readonly actionSettings: ActionSettings
  readonly idempotency: Idempotency
}
