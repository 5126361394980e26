'use client'

import type { ErrorScreenProps } from 'waymark/client'
import { useParams } from 'waymark/client'

// Beside the code that shows them, since this file goes to the browser with each page.
const texts = {
  en: { title: 'Something broke', text: 'It is our fault. We find it by', retry: 'Try again' },
  de: { title: 'Etwas ist kaputt', text: 'Es liegt an uns. Wir finden es mit', retry: 'Nochmal' },
}

export default function ErrorScreen({ error, retry }: ErrorScreenProps) {
  const { title, text, retry: again } = useParams().lang === 'de' ? texts.de : texts.en
  return (
    <div className="narrow screen">
      <h1>{title}</h1>
      <p className="lead">
        {text} <code>{error.digest}</code>.
      </p>
      <button type="button" className="button" onClick={retry}>
        {again}
      </button>
    </div>
  )
}
