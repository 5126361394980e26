import type { RobotsFile } from 'waymark'
import { origin } from './_ui/origin.ts'

export default function robots(): RobotsFile {
  const rules = { userAgent: '*', allow: '/' }
  return origin === null ? { rules } : { rules, sitemap: `${origin}/sitemap.xml` }
}
