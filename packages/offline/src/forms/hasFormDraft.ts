import { basePath } from 'waymark'
import { nameOfApp } from '../shared/cacheNames.ts'

/** Session storage key for the text that was typed into refused forms. */
export const draftsKey: string = nameOfApp('waymark-form-drafts', basePath)

/** True if form drafts are stored, so that the code that restores them has to be loaded. */
export function hasFormDraft(): boolean {
  try {
    return sessionStorage.getItem(draftsKey) !== null
  } catch {
    return false
  }
}
