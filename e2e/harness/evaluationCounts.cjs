/**
 * Loaded into a server with `--require`. Counts the objects that a new evaluation of a module leaves
 * behind. Routes of a fixture read `globalThis.evaluationCounts`.
 */
const hooks = require('node:async_hooks')
const { syncBuiltinESMExports } = require('node:module')

const counts = { enabledHooks: 0, storages: 0, evaluated: {} }
globalThis.evaluationCounts = counts

const { createHook, AsyncLocalStorage } = hooks

hooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
  const { enable, disable } = hook
  return Object.assign(hook, {
    enable() {
      counts.enabledHooks++
      return enable.call(hook)
    },
    disable() {
      counts.enabledHooks--
      return disable.call(hook)
    },
  })
}

hooks.AsyncLocalStorage = class extends AsyncLocalStorage {
  constructor(...args) {
    super(...args)
    counts.storages++
  }
}

syncBuiltinESMExports()
