// What bundlers throw carries the place and the lines around it, and may be several errors.
type BundlerError = Error & {
  readonly errors?: readonly unknown[]
  readonly frame?: string
  readonly id?: string
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number }
}

/**
 * Describes a thrown value: what happened and where. A stack is given only where nothing tells
 * the place better.
 * @param stress marks the message
 */
export function describeThrown(thrown: unknown, stress: (text: string) => string): string {
  if (!(thrown instanceof Error)) return stress(String(thrown))
  const { message, stack, errors, frame, id, loc } = thrown as BundlerError
  if (errors && errors.length > 0) {
    return errors.map((each) => describeBundlerError(each, stress)).join('\n\n')
  }
  const place = loc ? `${loc.file ?? id}:${loc.line}:${loc.column}` : id
  if (place === undefined && !frame) return stack ?? stress(message)
  const lines = [stress(message)]
  if (place !== undefined && !message.includes(place)) lines.push(`  ${place}`)
  if (frame && !message.includes(frame)) lines.push(frame)
  return lines.join('\n')
}

// Its message holds a picture of the place; its stack is the bundler's own.
function describeBundlerError(thrown: unknown, stress: (text: string) => string): string {
  if (!(thrown instanceof Error)) return stress(String(thrown))
  const { message, id } = thrown as BundlerError
  return id && !message.includes(id) ? `${stress(message)}\n  ${id}` : stress(message)
}
