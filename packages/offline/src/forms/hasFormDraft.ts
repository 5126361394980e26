import { basePath } from 'waymark'
import { nameOfApp } from '../shared/cacheNames.ts'

/** Where this tab stores what was typed into forms that were refused. */
export const draftsKey: string = nameOfApp('waymark-form-drafts', basePath)

/** True if drafts of forms are stored, so that the code that restores them has to be loaded. */
export function hasFormDraft(): boolean {
  try {
    return sessionStorage.getItem(draftsKey) !== null
  } catch {
    return false
  }
}
