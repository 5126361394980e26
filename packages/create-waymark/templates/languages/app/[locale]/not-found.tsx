import { Link, useTranslations } from '@waymark/i18n'
import { getTranslations } from '@waymark/i18n/server'
import type { Metadata } from 'waymark'

export const generateMetadata = (): Metadata => ({ title: getTranslations('notFound')('title') })

export default function NotFound() {
  const t = useTranslations('notFound')
  return (
    <>
      <h1>{t('heading')}</h1>
      <p className="lead">{t.rich('lead', { home: (text) => <Link href="/">{text}</Link> })}</p>
    </>
  )
}
