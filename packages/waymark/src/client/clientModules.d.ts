declare module 'virtual:vite-rsc/client-references' {
  const references: Readonly<Record<string, () => Promise<unknown>>>
  export default references
}

declare module 'virtual:waymark/limits' {
  /** `timeoutMs` of the navigation settings, in milliseconds. */
  export const timeoutMs: number
}

declare module 'virtual:waymark/startup' {
  /** The function that the app's `clientSetup` module exports, or `null`. */
  export const onNavigationStart:
    | ((event: import('../components/navigationStore.ts').NavigationEvents['start']) => void)
    | null
}

declare module 'virtual:waymark/hooks/onEvent' {
  export const onEvent:
    | import('./hooks/callHooks.ts').JoinedHooks<[import('../wire/trace.ts').TracedEvent]>
    | null
}

declare module 'virtual:waymark/hooks/onBoot' {
  export const onBoot: import('./hooks/callHooks.ts').JoinedHooks<[startRouter: () => void]> | null
}

declare module 'virtual:waymark/hooks/onIdle' {
  export const onIdle: import('./hooks/callHooks.ts').JoinedHooks<[startRouter: () => void]> | null
}

declare module 'virtual:waymark/hooks/onRouter' {
  export const onRouter:
    | import('./hooks/callHooks.ts').JoinedHooks<[import('./packageHooks.ts').PackageRouter]>
    | null
}

declare module 'virtual:waymark/hooks/onOtherUser' {
  export const onOtherUser: import('./hooks/callHooks.ts').JoinedHooks<[]> | null
}

declare module 'virtual:waymark/hooks/readPayload' {
  export const readPayload:
    | ((stream: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>)
    | null
}

declare module 'virtual:waymark/hooks/queueCalls' {
  type QueueCalls = import('./packageHooks.ts').ClientHooks['queueCalls']

  export const queueCalls:
    | ((actions: Parameters<QueueCalls>[0]) => ReturnType<QueueCalls> | undefined)
    | null
}

declare module 'virtual:waymark/hooks/sealedUser' {
  export const sealedUser: (() => string | null | undefined) | null
}

declare module 'virtual:waymark/navigation' {
  export const navigation: import('../shared/settings.ts').NavigationSettings
  /** False if the build has found no server actions. */
  export const mayHaveActions: boolean
}

declare module 'virtual:waymark/prefetch' {
  export const prefetch: import('../shared/settings.ts').PrefetchLimits
}

/** React's browser runtime, which plugin-rsc includes without types. */
declare module '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser' {
  export type CallServer = (id: string, args: unknown[]) => Promise<unknown>

  export function createFromReadableStream<T>(
    stream: ReadableStream<Uint8Array>,
    options: { readonly callServer: CallServer },
  ): Promise<T>

  export function encodeReply(value: unknown): Promise<string | FormData>

  export function createServerReference(id: string, callServer: CallServer): CallServer
}
