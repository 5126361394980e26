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
  const report = (property: string) => {
    const place = callerOf(new Error('here').stack)
    if (reported.has(place)) return
    reported.add(place)
    console.error(
      `${name} returns a promise, but code reads ${property} from it without waiting. Write (await ${name}).${property}, or update the package that contains the code. ${place}`,
    )
  }
  const descriptors = Object.fromEntries(
    properties.map((property) => [property, { get: () => report(property), configurable: true }]),
  )
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

/** Returns the frame that read the property: the third one, after `report` and the getter. */
function callerOf(stack = ''): string {
  return stack.split('\n')[3]?.trim() ?? ''
}
