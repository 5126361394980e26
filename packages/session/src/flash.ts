import { randomUUID } from 'node:crypto'
import type { CacheDriver } from 'waymark/drivers'
import type { Cookies } from 'waymark/server'
import type { Platform } from './platform.ts'
import { createCookieRing, openJson, sealJson } from './sealedRecords.ts'
import { createSessionCookie } from './sessionCookie.ts'

/** A message that is shown once. */
export type Flash = {
  readonly text: string
  /** `info`, or the kind that was passed to `flash()`. */
  readonly kind: string
}

const lifetimeMs = 5 * 60_000
/**
 * Milliseconds for which the page that has read the messages gets them again. Browsers load a page a second time after
 * a lost response and, without JavaScript, if a part of the page was streamed.
 */
const repeatMs = 10_000

/** Path of the page that has read the messages, and the time until which the page gets them again. */
type ReadMark = readonly [pathname: string, untilMs: number]

/** Content of the cookie. The id marks the messages as read. */
type SealedFlash = { readonly id: string; readonly createdAtMs: number; readonly messages: Flash[] }

type FlashOptions = {
  readonly name: string
  readonly secure: boolean | undefined
  readonly findDriver: () => CacheDriver
}

/**
 * Passes messages to the next page, in a cookie. A page can't delete a cookie, so the app's cache remembers which
 * messages were read.
 */
export function createFlash(platform: Platform, { name, secure, findDriver }: FlashOptions) {
  const cookie = createSessionCookie(platform, {
    name: `${name}-flash`,
    secure,
    sizeAdvice: 'Pass shorter texts to flash().',
  })
  const ring = createCookieRing(platform, cookie.name)
  // Results by request, because a layout and a page may both read the messages.
  const reads = new WeakMap<
    object,
    { readonly cookies: string; result: Promise<readonly Flash[]> }
  >()
  // Messages that this response has added. Messages from earlier responses aren't included, because a page may have read
  // them already.
  const writtenIn = new WeakMap<Cookies, Flash[]>()

  function open(jar: Cookies): SealedFlash | null {
    for (const value of cookie.values(jar)) {
      const opened = openJson(ring(), value, 'flash') as SealedFlash | null
      if (opened && platform.now() - opened.createdAtMs < lifetimeMs) return opened
    }
    return null
  }

  /** @returns false if another page has read the messages, or this page did more than `repeatMs` ago */
  async function markRead(id: string, pathname: string): Promise<boolean> {
    const lease = await findDriver().lease(`waymark-flash:${id}`, lifetimeMs)
    if (lease.kind === 'ours') {
      const mark: ReadMark = [pathname, platform.now() + repeatMs]
      await lease.complete(Buffer.from(JSON.stringify(mark)))
      return true
    }
    if (lease.kind === 'running' || lease.result === null) return false
    const [readBy, untilMs] = JSON.parse(Buffer.from(lease.result).toString()) as ReadMark
    return readBy === pathname && platform.now() < untilMs
  }

  async function readOnce(
    jar: Cookies,
    pathname: string,
    canWrite: boolean,
  ): Promise<readonly Flash[]> {
    const opened = open(jar)
    if (!opened) return []
    if (canWrite) cookie.delete(jar)
    return (await markRead(opened.id, pathname)) ? opened.messages : []
  }

  return {
    /** @throws if the messages of this response are too large for a cookie */
    add(jar: Cookies, message: Flash): void {
      const written = writtenIn.get(jar) ?? []
      const sealed: SealedFlash = {
        id: randomUUID(),
        createdAtMs: platform.now(),
        messages: [...written, message],
      }
      const value = sealJson(ring(), sealed, 'flash')
      cookie.write(jar, value, { isLasting: true, seconds: lifetimeMs / 1_000 })
      // Remember the message only now, because the cookie may be too large.
      writtenIn.set(jar, sealed.messages)
    },
    /** @param canWrite true if the response can delete the cookie */
    async read(jar: Cookies, canWrite: boolean): Promise<readonly Flash[]> {
      const current = platform.currentRequest()
      const headers = await platform.headers()
      if (!current || headers.get('sec-purpose')?.includes('prefetch')) return []
      const { request, pathname } = current
      const earlier = reads.get(request)
      if (earlier?.cookies === cookie.values(jar).join()) return earlier.result
      const result = readOnce(jar, pathname, canWrite)
      // Read the cookie again, because `readOnce` may have deleted it.
      reads.set(request, { cookies: cookie.values(jar).join(), result })
      return result
    },
    clear(jar: Cookies): void {
      writtenIn.delete(jar)
      cookie.delete(jar)
    },
  }
}
