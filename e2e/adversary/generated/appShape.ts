import type { Random } from '../random.ts'

/** The package for which an app is written. */
export type AppKind = 'core' | 'next'

/** The guard of a folder: proxy.ts or middleware.ts, the folder's layout, or each of its pages. */
export type Guard = 'proxy' | 'layout' | 'page'

/** An additional route in a guarded folder. */
export type Extra = 'kept' | 'partial' | 'cached' | 'stream' | 'route'

/** A guarded folder. */
export type Area = {
  /** Prefix of the names of its actions and of its texts. */
  readonly id: string
  /** Its path in the app: `/admin`, or `/shop/admin`. */
  readonly folder: string
  readonly guard: Guard
  readonly refusal: 'forbidden' | 'unauthorized'
  /**
   * The folder that opens the public `/photo/[id]` in front of the area, or `null` without one.
   */
  readonly outward: string | null
  /** True if the area opens one of its pages in front of another one. */
  readonly hasInward: boolean
  /** True if the area has a second slot. */
  readonly hasSide: boolean
  /** True if a public page opens a page of the area in front of itself. */
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
 * Draws the properties of an app: guards of each kind, combined with slots, interceptions and base
 * paths.
 * @param index index of the app in its run; every second app is mounted at a path
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
  // A page can't be static behind a layout that reads cookies.
  if (guard === 'proxy') all.push('kept', 'route')
  const count = guard === 'proxy' ? 2 : 1
  return random.list(count, count, () => all.splice(random.int(all.length), 1)[0] ?? 'stream')
}
