/**
 * The hooks that packages may have in browsers. `all`: each package's function is called. `one`: a
 * second package with the hook is an error of the configuration. `readers`: the object that each
 * package's function returns gets the bytes of a payload.
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
