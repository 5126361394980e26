import { fieldName, joinPath } from './fieldNames.ts'

/** Reads of a component, by path. A path that ends with `.**` stands for everything below it. */
export type ComponentReads = { readonly key: string; readonly paths: readonly string[] }

/** Name of the event that makes a page report its reads. */
export const readsEvent = 'waymark:contract-reads'

/** A field of a component. One object can be the value of several. */
type Location = { readonly key: string; readonly path: string }

type Observed = {
  readonly original: object
  readonly locations: Map<string, Location>
}

const reads = new Map<string, Set<string>>()
// Keep one proxy for each object, so that comparisons of two objects give the same results.
const proxies = new WeakMap<object, object>()
const observed = new WeakMap<object, Observed>()

/**
 * Returns the properties of a component so that reads are recorded, also in nested objects.
 * @param keys names of the component, such as `app/users/userCard.tsx UserCard`
 */
export function recordReads<Props>(props: Props, keys: readonly string[]): Props {
  startReporting()
  for (const key of keys) if (!reads.has(key)) reads.set(key, new Set())
  const locations = keys.map((key) => ({ key, path: '' }))
  // The cast is safe: the proxy has the same fields as the object.
  return follow(props, locations) as Props
}

/** Lists the reads of all components that have run. */
export function listReads(): ComponentReads[] {
  return [...reads].map(([key, paths]) => ({ key, paths: [...paths] }))
}

function mark({ key, path }: Location): void {
  reads.get(key)?.add(path)
}

function follow(value: unknown, locations: Iterable<Location>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const known = observed.get(value)
  if (!known && !isPlain(value)) {
    // Reads of maps, dates, elements, promises and class instances can't be observed.
    for (const { key, path } of locations) mark({ key, path: `${path}.**` })
    return value
  }
  const proxy = known ? value : (proxies.get(value) ?? createProxy(value))
  const entry = observed.get(proxy)
  for (const each of locations) entry?.locations.set(`${each.key} ${each.path}`, each)
  return proxy
}

function isPlain(value: object): boolean {
  if ('$$typeof' in value) return false
  const prototype = Object.getPrototypeOf(value)
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false
  return Object.values(Object.getOwnPropertyDescriptors(value)).every((each) => 'value' in each)
}

// React uses these fields of the properties itself.
const fieldsOfReact = new Set(['children', 'key', 'ref'])

function createProxy(original: object): object {
  const entry: Observed = { original, locations: new Map() }
  const isArray = Array.isArray(original)
  const keyCount = Object.keys(original).length
  // A proxy can't replace the fields of a frozen target, so its target is a copy.
  const copy: object = isArray
    ? original.slice()
    : Object.assign(Object.create(Object.getPrototypeOf(original)), original)

  /** Returns the locations of a field. Empty if nothing is recorded for it. */
  function locationsOf(key: string | symbol): Location[] {
    if (typeof key === 'symbol' || !Object.hasOwn(copy, key)) return []
    if (isArray && key === 'length') return []
    const locations: Location[] = []
    for (const location of entry.locations.values()) {
      if (location.path === '' && fieldsOfReact.has(key)) continue
      const path = isArray
        ? `${location.path}[]`
        : joinPath(location.path, fieldName(key, keyCount))
      locations.push({ key: location.key, path })
    }
    return locations
  }

  function read(key: string | symbol): Location[] {
    const locations = locationsOf(key)
    for (const location of locations) mark(location)
    return locations
  }

  const proxy = new Proxy(copy, {
    get(target, key, receiver) {
      const value = Reflect.get(target, key, receiver)
      const locations = read(key)
      const descriptor = Reflect.getOwnPropertyDescriptor(target, key)
      const isFixed = descriptor?.configurable === false && descriptor.writable === false
      return locations.length === 0 || isFixed ? value : follow(value, locations)
    },
    has(target, key) {
      read(key)
      return Reflect.has(target, key)
    },
    ownKeys(target) {
      const keys = Reflect.ownKeys(target)
      for (const key of keys) read(key)
      return keys
    },
  })
  proxies.set(original, proxy)
  observed.set(proxy, entry)
  return proxy
}

/** Replaces proxies by the original objects, for functions of browsers that don't accept proxies. */
export function unwrap(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 50) return value
  const entry = observed.get(value)
  if (entry) {
    for (const { key, path } of entry.locations.values()) mark({ key, path: `${path}.**` })
    return entry.original
  }
  if (!isPlain(value)) return value
  const entries = Object.entries(value).map(
    ([key, each]) => [key, unwrap(each, depth + 1)] as const,
  )
  if (entries.every(([key, each]) => each === (value as Record<string, unknown>)[key])) return value
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries)
}

let isReporting = false

function startReporting(): void {
  if (isReporting || typeof document === 'undefined') return
  isReporting = true
  document.addEventListener(readsEvent, (event) => {
    if (event instanceof CustomEvent) event.detail.reads = listReads()
  })
  unwrapArguments(globalThis, 'structuredClone')
  for (const each of [Window, Worker, MessagePort, BroadcastChannel]) {
    unwrapArguments(each.prototype, 'postMessage')
  }
  unwrapArguments(globalThis, 'postMessage')
  for (const name of ['pushState', 'replaceState']) unwrapArguments(History.prototype, name)
  for (const name of ['add', 'put']) unwrapArguments(IDBObjectStore.prototype, name)
}

/** Makes a function of the browser receive the original objects instead of proxies. */
function unwrapArguments(owner: object, name: string): void {
  const original: unknown = Reflect.get(owner, name)
  if (typeof original !== 'function') return
  Reflect.set(owner, name, function (this: unknown, ...args: readonly unknown[]) {
    return Reflect.apply(
      original,
      this,
      args.map((each) => unwrap(each)),
    )
  })
}
