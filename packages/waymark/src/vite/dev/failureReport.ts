import { readFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { ErrorPayload } from 'vite'
import { codeFrame } from '../../journal/codeFrame.ts'
import { describeThrown } from '../../journal/thrown.ts'
import { FrameworkError } from '../../shared/errors.ts'

/** Describes a thrown value for the overlay: message, file, line and the lines around it. */
export type FailureReport = (thrown: unknown) => ErrorPayload['err']

// What Vite's plugins throw knows its place already.
type LocatedError = Error & {
  readonly id?: string
  readonly frame?: string
  readonly plugin?: string
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number }
}

type Place = { readonly file: string; readonly line: number; readonly column: number }

/**
 * Makes the report of a project.
 * @param root absolute; places outside of it or in its packages are not its author's
 */
export function createFailureReport(root: string): FailureReport {
  return (thrown) => {
    if (!isError(thrown)) return { message: describeThrown(thrown).message, stack: '' }
    const message = stripVTControlCharacters(thrown.message)
    const stack = stripVTControlCharacters(thrown.stack ?? '')
    // Its message says all; where it was found out helps nobody.
    if (thrown instanceof FrameworkError || thrown.name === 'FrameworkError') {
      return { message, stack: '' }
    }
    const { id, frame, plugin, loc } = thrown as LocatedError
    if (loc || frame) {
      return {
        message,
        stack: stack.slice(stack.indexOf('\n    at')),
        ...(id ? { id } : {}),
        ...(plugin ? { plugin } : {}),
        ...(frame ? { frame: stripVTControlCharacters(frame) } : {}),
        ...(loc ? { loc } : {}),
      }
    }
    const place = firstPlaceIn(stack, root)
    return place ? { message, stack, ...describePlace(place) } : { message, stack }
  }
}

function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error
  } catch {
    // A revoked proxy has no prototype to ask for.
    return false
  }
}

/**
 * Finds the first line of a stack that is in the project's own files.
 * @returns `null` when there is none
 */
export function firstPlaceIn(stack: string, root: string): Place | null {
  for (const [, url = '', line, column] of stack.matchAll(
    /(?:\(|at )((?:file:\/\/)?\/[^()\n]+?):(\d+):(\d+)\)?/g,
  )) {
    const file = url.replace(/^file:\/\//, '').replace(/\?.*$/, '')
    if (!file.startsWith(root + path.sep) || file.includes('/node_modules/')) continue
    return { file, line: Number(line), column: Number(column) }
  }
  return null
}

function describePlace(place: Place): Pick<ErrorPayload['err'], 'id' | 'loc' | 'frame'> {
  const { file, line, column } = place
  try {
    return { id: file, loc: place, frame: codeFrame(readFileSync(file, 'utf8'), line, column) }
  } catch {
    // The file is gone; its name still helps.
    return { id: file, loc: place }
  }
}
