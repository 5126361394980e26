/**
 * The hooks that packages may have in browsers. `all`: each package's function is called. `one`: a
 * second package with the hook is an error of the configuration.
 */
export const clientHooks = {
  onEvent: 'all',
  onBoot: 'all',
  onIdle: 'all',
  onRouter: 'all',
  readPayload: 'all',
  queueCalls: 'one',
  sealedUser: 'one',
  onOtherUser: 'all',
} as const

export type ClientHookName = keyof typeof clientHooks

export const clientHookNames = Object.keys(clientHooks) as readonly ClientHookName[]
