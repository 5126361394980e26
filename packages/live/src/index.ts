import { addCacheTags, currentRequest } from 'waymark/plugin/server'
import { allReads, named } from './server/liveTags.ts'

let hasWarned = false

/**
 * Keeps a page current while it is open: called in a page, a layout, a component or a cached function.
 * @param tags what it follows; without them all that the page and its layouts read
 */
export function live(...tags: string[]): void {
  const marks = tags.length > 0 ? tags.flatMap(named) : [allReads]
  if (addCacheTags(marks) || currentRequest() === null) return
  if (process.env.NODE_ENV !== 'production' && !hasWarned) {
    hasWarned = true
    console.warn(
      'live() does nothing here: list live() of @waymark/live/vite among the plugins of vite.config.ts.',
    )
  }
}
