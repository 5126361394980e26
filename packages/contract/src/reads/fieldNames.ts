// An object with more keys than this is a dictionary. Its keys are data, not names of fields.
const maxNames = 60

/**
 * Returns the name of a field for paths such as `user.name`. Keys that are data, such as ids, all
 * have the name `*`.
 * @param keyCount number of keys of the object
 */
export function fieldName(key: string, keyCount: number): string {
  const isName = /^[A-Za-z_$][\w$-]{0,59}$/.test(key) && !/[\da-f]{8}-?[\da-f]{4}|\d{5}/.test(key)
  return isName && keyCount <= maxNames ? key : '*'
}

/**
 * Appends a field to a path. In data that contains more of its kind, such as `replies[].replies`,
 * the field has the path of its parent, so that paths don't depend on the depth of the data.
 */
export function joinPath(path: string, name: string): string {
  if (path === '') return name
  const parent = path.replace(/(?:\[\])+$/, '')
  return parent === name || parent.endsWith(`.${name}`) ? parent : `${path}.${name}`
}
