declare module 'some-chart-package' {
  import type { ReactNode } from 'react'

  export function Chart(props: { values: readonly number[] }): ReactNode
}

declare module 'better-auth' {
  export function betterAuth(options: object): {
    handler(request: Request): Promise<Response>
    api: {
      getSession(options: { headers: Headers }): Promise<{ user: { email: string } } | null>
    }
  }
}

declare module 'better-auth/adapters/memory' {
  export function memoryAdapter(tables: Record<string, unknown[]>): object
}

declare module 'arctic' {
  export const CodeChallengeMethod: { readonly S256: 0 }
  export function generateState(): string
  export function generateCodeVerifier(): string
  export class OAuth2Client {
    constructor(id: string, secret: string | null, redirectUrl: string | null)
    createAuthorizationURLWithPKCE(
      url: string,
      state: string,
      method: 0,
      verifier: string,
      scopes: string[],
    ): URL
    validateAuthorizationCode(
      url: string,
      code: string,
      verifier: string | null,
    ): Promise<{ accessToken(): string }>
  }
}

declare module '@inlang/paraglide-js' {
  export function paraglideVitePlugin(options: {
    project: string
    outdir: string
    outputStructure?: 'locale-modules' | 'message-modules'
    strategy?: readonly string[]
    experimentalStaticLocale?: string
  }): import('vite').Plugin
}

// Paraglide writes this file into the app.
declare module '*/paraglide/runtime.js' {
  export function overwriteGetLocale(getLocale: () => string): void
}
