/** English texts of the package. An app replaces and translates them in its `screens.ts`. */
export const english = {
  /** Shown, with the core's buttons, when no live updates have arrived for a while. */
  behind: 'Live updates are interrupted. This page may be out of date.',
}

type Texts = Readonly<typeof english>

const ar: Texts = { behind: 'توقفت التحديثات المباشرة. قد لا تكون هذه الصفحة محدّثة.' }

const de: Texts = {
  behind: 'Zurzeit kommen keine Aktualisierungen an. Diese Seite ist möglicherweise veraltet.',
}

const es: Texts = {
  behind: 'No llegan actualizaciones en este momento. Es posible que esta página no esté al día.',
}

const fr: Texts = {
  behind: 'Les mises à jour en direct sont interrompues. Cette page n’est peut-être plus à jour.',
}

const ja: Texts = {
  behind: 'リアルタイム更新が中断されています。このページは最新ではない可能性があります。',
}

export const texts = { en: english, ar, de, es, fr, ja }
