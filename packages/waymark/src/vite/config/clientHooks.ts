/**
 * Hooks that packages may have in browsers:
 *
 * - `all`: each package's function is called
 * - `one`: only one package may have the hook; a second one is a configuration error
 * - `readers`: each package's function returns an object that receives the bytes of a payload
 */
export const clientHooks = {
  onEvent: 'all',
  onBoot: 'all',
  onIdle: 'all',
  onRouter: 'all',
  readPayload: 'readers',
  queueCalls: 'one',
  sealedUser: 'one',
  onOtherUser: 'all',
} as const

export type ClientHookName = keyof typeof clientHooks

export const clientHookNames = Object.keys(clientHooks) as readonly ClientHookName[]

/** Start of the ids of the modules that pass the packages' hooks to the framework's code in browsers. */
export const hookPrefix = 'virtual:waymark/hooks/'

export function isHookModule(id: string): boolean {
  return id.includes(hookPrefix)
}
