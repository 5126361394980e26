'use client'

import { useTranslations } from '@waymark/i18n'
import { useState } from 'react'

export function Counter() {
  const t = useTranslations('counter')
  const [count, setCount] = useState(0)
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {t('count', { count })}
    </button>
  )
}
