import { Link as RouterLink } from '@tanstack/react-router'

export function Link({ href, ...rest }) {
  const [to, query] = href.split('?q=')
  return <RouterLink to={to} search={query ? { q: /^\d+$/.test(query) ? Number(query) : query } : {}} {...rest} />
}
