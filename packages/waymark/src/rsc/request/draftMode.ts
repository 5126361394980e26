import { draftCookie } from '../../builds/cachedPage.ts'
import type { ServerRequest } from '../../http/response.ts'
import { parseCookies } from './cookies.ts'

export type Drafts = ReturnType<typeof createDrafts>

/** Encrypts and decrypts values with the app's secrets. */
export type Sealer = {
  /** Encrypts a value. @param purpose name of the purpose, which `open` must repeat */
  seal(value: Uint8Array, purpose: string): string
  /** Decrypts a value. @returns `null` unless one of the keys has encrypted the value for this purpose */
  open(sealed: string, purpose: string): Uint8Array<ArrayBuffer> | null
}

const purpose = 'draft mode'

export const draftSeconds = 24 * 60 * 60

/** Creates the functions for draft mode. @param sealer called only for requests that have the draft cookie */
export function createDrafts(sealer: () => Sealer, now: () => number = Date.now) {
  function isValid(pass: string): boolean {
    const opened = sealer().open(pass, purpose)
    return opened !== null && Number(Buffer.from(opened).toString()) > now()
  }
  return {
    isOn({ headers }: ServerRequest): boolean {
      const sent = headers.get('cookie')
      if (!sent?.includes(draftCookie)) return false
      return parseCookies(sent).some(({ name, value }) => name === draftCookie && isValid(value))
    },
    pass: (): string => sealer().seal(Buffer.from(String(now() + draftSeconds * 1000)), purpose),
  }
}
