import type { Random } from '../random.ts'

/** Package that an app is written for: the core, or the one for App Router apps. */
export type AppKind = 'core' | 'next'

/**
 * Place of a folder's guard: proxy.ts or middleware.ts, the folder's layout, or each of the
 * folder's pages.
 */
export type Guard = 'proxy' | 'layout' | 'page'

/** An additional route in a guarded folder. */
export type Extra = 'kept' | 'partial' | 'cached' | 'stream' | 'route'

/** A guarded folder. */
export type Area = {
  /** Prefix for the area's action names and texts. */
  readonly id: string
  /** Path of the area in the app: `/admin`, or `/shop/admin`. */
  readonly folder: string
  readonly guard: Guard
  readonly refusal: 'forbidden' | 'unauthorized'
  /**
   * Folder with an intercepted route, from which the public `/photo/[id]` opens in front of the
   * area. `null` if the area has no such folder.
   */
  readonly outward: string | null
  /** True if the area opens one of its pages in front of another of its pages. */
  readonly hasInward: boolean
  /** True if the area has a second slot. */
  readonly hasSide: boolean
  /** True if a public page opens one of the area's pages in front of itself. */
  readonly isOpenedByFeed: boolean
  readonly extras: readonly Extra[]
}

/** The random properties of a generated app. */
export type AppShape = {
  readonly kind: AppKind
  readonly base: '' | '/docs'
  readonly hasSlash: boolean
  /** True if the root opens `/photo/[id]` in front of the current page. */
  readonly hasRootModal: boolean
  readonly hasScripts: boolean
  readonly areas: readonly Area[]
}

const names = ['admin', 'team', 'vault', 'desk', 'staff']

/**
 * Draws the properties of an app, which combine guards of each kind with slots, interceptions and
 * base paths.
 * @param index index of the app in its run; every second app has a base path
 */
export function drawShape(random: Random, kind: AppKind, index: number): AppShape {
  const free = [...names]
  const take = () => free.splice(random.int(free.length), 1)[0] ?? 'more'
  const area = (id: string, guard: Guard): Area => {
    const isNested = random.chance(0.4)
    const outward = isNested ? ['(..)(..)photo', '(...)photo'] : ['(..)photo', '(...)photo']
    return {
      id,
      guard,
      folder: `${isNested ? '/shop' : ''}/${take()}`,
      refusal: random.pick(['forbidden', 'unauthorized']),
      outward: guard === 'page' || random.chance(0.15) ? null : random.pick(outward),
      hasInward: guard !== 'page' && random.chance(0.5),
      hasSide: random.chance(0.5),
      isOpenedByFeed: guard === 'proxy' && random.chance(0.6),
      extras: drawExtras(random, kind, guard),
    }
  }
  return {
    kind,
    base: index % 2 === 1 ? '/docs' : '',
    hasSlash: random.chance(0.4),
    hasRootModal: random.chance(0.5),
    hasScripts: random.chance(0.7),
    areas: [area('a', 'proxy'), area('b', 'layout'), area('c', 'page')],
  }
}

function drawExtras(random: Random, kind: AppKind, guard: Guard): Extra[] {
  const all: Extra[] = ['cached', 'stream']
  if (kind === 'core' && guard !== 'page') all.push('partial')
  // Static routes need a guard in the proxy, because a page behind a layout that reads cookies
  // can't be static.
  if (guard === 'proxy') all.push('kept', 'route')
  const count = guard === 'proxy' ? 2 : 1
  return random.list(count, count, () => all.splice(random.int(all.length), 1)[0] ?? 'stream')
}
