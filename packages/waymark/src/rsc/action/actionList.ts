import { loadServerAction } from '@vitejs/plugin-rsc/rsc.node'
import type { BuiltActions } from '../../shared/buildManifest.ts'
import type { ActionSettings } from '../../shared/settings.ts'
import type { PageApp } from '../page/pageRequest.ts'
import { loadCode } from '../page/routeModules.ts'
import type { Idempotency } from './idempotency.ts'

export type ActionFunction = (...args: unknown[]) => unknown

export type ListedAction = {
  readonly id: string
  readonly files: readonly string[]
}

export type FindAction = (id: string) => ListedAction | null

export type ListedActions = { readonly isEmpty: () => boolean; readonly find: FindAction }

export type ActionList = ReturnType<typeof createActionList>

/** Finds and loads actions. An id is looked up before any part of a request is decoded. */
export function createActionList(listed: ListedActions) {
  const loaded = new Map<string, ActionFunction>()

  async function load(id: string): Promise<ActionFunction> {
    // plugin-rsc resolves any id, even `__proto__`, so that only listed ids may reach it.
    const run: unknown = await loadCode(loadServerAction(id), `The code of the action ${id}`)
    if (typeof run !== 'function') throw new Error(`The action ${id} is no function.`)
    if (!import.meta.env?.DEV) loaded.set(id, run as ActionFunction)
    return run as ActionFunction
  }

  return {
    get isEmpty() {
      return listed.isEmpty()
    },
    find: listed.find,
    load: ({ id }: ListedAction) => loaded.get(id) ?? load(id),
  }
}

export function findBuiltAction(actions: BuiltActions): FindAction {
  const listed = new Map(Object.entries(actions).map(([id, files]) => [id, { id, files }]))
  return (id) => listed.get(id) ?? null
}

export type ActionApp = PageApp & {
  readonly actions: ActionList
  readonly actionSettings: ActionSettings
  readonly idempotency: Idempotency
}
