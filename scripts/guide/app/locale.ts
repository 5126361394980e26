import { AsyncLocalStorage } from 'node:async_hooks'

export const locale = new AsyncLocalStorage<string>()

export function localeOf({ headers }: { headers: Headers }): string {
  return headers.get('accept-language')?.slice(0, 2) ?? 'en'
}
