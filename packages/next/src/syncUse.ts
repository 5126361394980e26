/**
 * Explains code that uses a promise of the request as if it were the value, as in
 * `cookies().get('a')`, which worked before version 15 of Next. The property stays undefined,
 * because packages check for it to support several versions. So the code still throws a
 * `TypeError`, but the log says why, and where.
 */
export function createSyncUse(
  name: 'cookies()' | 'headers()' | 'draftMode()',
  properties: readonly string[],
): <Value>(promise: Promise<Value>) => Promise<Value> {
  const reported = new Set<string>()
  const report = (use: string, advice: string) => {
    const place = callerOf(new Error('here').stack)
    if (place === null || reported.has(place)) return
    reported.add(place)
    console.error(
      `${name} returns a promise, but code ${use} without waiting. Write ${advice}, or update the package that contains the code. ${place}`,
    )
  }
  const read = (property: string) =>
    report(`reads ${property} from it`, `(await ${name}).${property}`)
  const list = () => report('uses it as a list', `await ${name}`)
  const descriptors: PropertyDescriptorMap = Object.fromEntries(
    properties.map((property) => [property, { get: () => read(property), configurable: true }]),
  )
  // As in `new Headers(headers())` and `[...cookies()]`
  descriptors[Symbol.iterator] = { get: () => list(), configurable: true }
  let prototype: object | null = null
  return (promise) => {
    // Waymark's promises are a subclass, whose `then` makes the page dynamic.
    const base: object = Object.getPrototypeOf(promise)
    if (prototype === null || Object.getPrototypeOf(prototype) !== base) {
      prototype = Object.create(base, descriptors) as object
    }
    // Replacing the prototype is much cheaper than defining the properties on each promise.
    return Object.setPrototypeOf(promise, prototype)
  }
}

/**
 * Returns the frame of the app or a package that read the property. It is the fourth one, after
 * `report`, its caller and the getter, unless Node's own code read the property for it.
 * @returns `null` if the code only prints the promise
 */
function callerOf(stack = ''): string | null {
  const [first = '', ...others] = stack.split('\n').slice(4)
  if (first.includes('node:internal/util/inspect')) return null
  const caller = [first, ...others].find((frame) => !/\bnode:|\(<anonymous>\)$/.test(frame))
  return (caller ?? first).trim()
}
