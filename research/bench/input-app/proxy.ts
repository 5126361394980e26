import { cookies, next, type ProxyConfig } from 'waymark/server'

export const config: ProxyConfig = { matcher: ['/((?!cached|_files/).*)', '/a/:path*/b/:rest+'] }

export default async function proxy() {
  const jar = await cookies()
  return next({ headers: { 'x-session': jar.has('session') ? '1' : '0' } })
}
