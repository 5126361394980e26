export type StackFrame = {
  /** As the engine wrote it, without indentation. */
  readonly text: string
  readonly functionName: string | null
  /** Path or URL; `null` for a frame like `Promise.all (index 0)`. */
  readonly file: string | null
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

/** Limits of a stored stack. */
export const stackLimits = { lines: 50, lineLength: 500 }

const inV8 = /^at (?:(.+?) \()?(.+?):(\d+):(\d+)\)?$/
const inOthers = /^([^@]*)@(.+?):(\d+):(\d+)$/

/** Removes name and message, which V8 writes in front of the frames. @param stack of any length */
export function frameLines(stack: string): string[] {
  // A long message may precede the frames.
  const end = stack.slice(-stackLimits.lines * stackLimits.lineLength)
  const lines = end.split('\n').map((line) => line.slice(0, stackLimits.lineLength).trim())
  return lines
    .filter((line) => inOthers.test(line) || /^at \S/.test(line))
    .slice(0, stackLimits.lines)
}

/** Reads a frame of any engine. */
export function parseFrame(text: string): StackFrame {
  const found = inV8.exec(text) ?? inOthers.exec(text)
  if (!found) return { text, functionName: null, file: null, line: 0, column: 0 }
  const [, functionName, file = null, line, column] = found
  return {
    text,
    functionName: functionName || null,
    file,
    line: Number(line),
    column: Number(column),
  }
}
