import { redirect } from 'waymark'
import { cookies, next, type ProxyConfig, type ProxyResult, rewrite } from 'waymark/server'

export const config: ProxyConfig = { matcher: '/lab/proxy/:path+' }

/** Guards a part of the lab, as a demonstration. */
export default async function proxy(request: Request): Promise<ProxyResult | Response> {
  const { pathname } = new URL(request.url)
  switch (pathname) {
    case '/lab/proxy/members':
      if ((await cookies()).get('lab-key')?.value !== 'brass') redirect('/lab/proxy?refused')
      return next({ headers: { 'x-lab-proxy': 'let through' } })
    case '/lab/proxy/answered':
      return Response.json({ by: 'proxy.ts' }, { headers: { 'x-lab-proxy': 'answered' } })
    case '/lab/proxy/other-name':
      return rewrite('/lab/proxy/rewritten', { headers: { 'x-lab-proxy': 'rewritten' } })
    default:
      return next()
  }
}
