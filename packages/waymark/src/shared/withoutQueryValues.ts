/**
 * Takes the values out of a query and keeps its names: `/a?token=x&all` becomes `/a?token=&all`.
 * @param target path and query, or a whole URL; its fragment is dropped
 */
export function withoutQueryValues(target: string): string {
  const [beforeHash = ''] = target.split('#', 1)
  const start = beforeHash.indexOf('?')
  if (start === -1) return beforeHash
  const names = beforeHash
    .slice(start + 1)
    .split('&')
    .map(withoutValue)
  return `${beforeHash.slice(0, start)}?${names.join('&')}`
}

function withoutValue(pair: string): string {
  const equals = pair.indexOf('=')
  return equals === -1 ? pair : pair.slice(0, equals + 1)
}
