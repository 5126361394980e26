declare module 'virtual:vite-rsc/client-references' {
  const references: Readonly<Record<string, () => Promise<unknown>>>
  export default references
}

declare module 'virtual:waymark/startup' {
  /** Of the navigation settings. */
  export const timeoutMs: number
  /** Of the app's `clientSetup`. */
  export const onNavigationStart:
    | ((event: import('../components/navigationStore.ts').NavigationEvents['start']) => void)
    | null
}

declare module 'virtual:waymark/hooks/onEvent' {
  export const onEvent: readonly import('./packageHooks.ts').ClientHooks['onEvent'][] | null
}

declare module 'virtual:waymark/hooks/onBoot' {
  export const onBoot: readonly import('./packageHooks.ts').ClientHooks['onBoot'][] | null
}

declare module 'virtual:waymark/hooks/onIdle' {
  export const onIdle: readonly import('./packageHooks.ts').ClientHooks['onIdle'][] | null
}

declare module 'virtual:waymark/hooks/onRouter' {
  export const onRouter: readonly import('./packageHooks.ts').ClientHooks['onRouter'][] | null
}

declare module 'virtual:waymark/hooks/readPayload' {
  export const readPayload: readonly import('./packageHooks.ts').ClientHooks['readPayload'][] | null
}

declare module 'virtual:waymark/hooks/queueCalls' {
  export const queueCalls: import('./packageHooks.ts').ClientHooks['queueCalls'] | null
}

declare module 'virtual:waymark/hooks/sealedUser' {
  export const sealedUser: import('./packageHooks.ts').ClientHooks['sealedUser'] | null
}

declare module 'virtual:waymark/hooks/onOtherUser' {
  export const onOtherUser: readonly import('./packageHooks.ts').ClientHooks['onOtherUser'][] | null
}

declare module 'virtual:waymark/navigation' {
  export const navigation: import('../shared/settings.ts').NavigationSettings
  /** False where the build has found no server action. */
  export const mayHaveActions: boolean
}

declare module 'virtual:waymark/prefetch' {
  export const prefetch: import('../shared/settings.ts').PrefetchLimits
}

/** React's client runtime as browsers get it, from plugin-rsc's copy, which has no types. */
declare module '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser' {
  export type CallServer = (id: string, args: unknown[]) => Promise<unknown>

  export function createFromReadableStream<T>(
    stream: ReadableStream<Uint8Array>,
    options: { readonly callServer: CallServer },
  ): Promise<T>

  export function encodeReply(value: unknown): Promise<string | FormData>

  export function createServerReference(id: string, callServer: CallServer): CallServer
}
