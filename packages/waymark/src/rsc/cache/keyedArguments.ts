import type { KeyedArguments } from './readCached.ts'
import { refuseRequestValues } from './requestValues.ts'

/** React's side of it. */
export type Codec = {
  encodeArguments(args: readonly unknown[]): Promise<KeyedArguments>
  encode: KeyedArguments['encode']
  decode: KeyedArguments['decode']
}

/**
 * Makes what turns arguments into a part of a key. Texts, numbers and their like are written
 * without asking React.
 */
export function createKeyArguments(codec: Codec) {
  const { encode, decode } = codec
  return (args: readonly unknown[]): KeyedArguments | Promise<KeyedArguments> => {
    const given = withoutTrailing(args)
    const key = simpleKey(given)
    if (key !== null) return { key, restore: async () => given, encode, decode }
    return keyWithReact(given, codec)
  }
}

async function keyWithReact(args: readonly unknown[], codec: Codec): Promise<KeyedArguments> {
  const { kept, putBack } = refuseRequestValues(args)
  const keyed = await codec.encodeArguments(kept)
  return { ...keyed, restore: async () => putBack(await keyed.restore()) }
}

/** A key of arguments that are no objects; `null` when one is. */
function simpleKey(args: readonly unknown[]): string | null {
  const parts: string[] = []
  for (const arg of args) {
    switch (typeof arg) {
      case 'string':
        parts.push(JSON.stringify(arg))
        break
      case 'number':
        parts.push(Object.is(arg, -0) ? '-0' : String(arg))
        break
      case 'boolean':
      case 'undefined':
        parts.push(String(arg))
        break
      case 'bigint':
        parts.push(`${arg}n`)
        break
      default:
        if (arg !== null) return null
        parts.push('null')
    }
  }
  return `(${parts.join(',')})`
}

// React calls components with a second argument that is undefined.
function withoutTrailing(args: readonly unknown[]): readonly unknown[] {
  let end = args.length
  while (end > 0 && args[end - 1] === undefined) end--
  return end === args.length ? args : args.slice(0, end)
}
