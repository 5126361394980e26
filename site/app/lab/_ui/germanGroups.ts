import { type LabGroup, labGroups } from './pages.ts'

type Texts = { readonly title: string; readonly says: string }

/** Headings of the groups in German, by the English heading. */
export const germanHeadings: Readonly<Record<string, string>> = {
  Rendering: 'Rendering',
  Routing: 'Routing',
  Responses: 'Antworten',
  Server: 'Server',
  Document: 'Dokument',
}

/** Title and description of each experiment in German, by the last part of its URL. */
export const germanExperiments: Readonly<Record<string, Texts>> = {
  streaming: {
    title: 'Streaming',
    says: 'Drei Teile einer Seite, jeder mit einer Verzögerung, die Sie wählen.',
  },
  loading: { title: 'Ladedateien', says: 'Was zu sehen ist, solange eine Seite lädt.' },
  static: {
    title: 'Statisch und dynamisch',
    says: 'Wann der Server eine Seite gerendert hat, und wie sie im Cache liegt.',
  },
  partial: {
    title: 'Teilweise vorgerendert',
    says: 'Sofort ein Rahmen, dann der Teil, der bei jedem Besucher anders ist.',
  },
  caching: {
    title: 'Cache',
    says: 'Eine Seite und eine Komponente im Cache, erneuert nach Zeit oder nach Tag.',
  },
  client: {
    title: 'Clientkomponenten',
    says: 'Kontext, Refs, ein Promise als Prop und ein Paket.',
  },
  layouts: {
    title: 'Verschachtelte Layouts',
    says: 'Sie behalten ihren Zustand, während die Seiten darin wechseln.',
  },
  templates: { title: 'Templates', says: 'Wie Layouts, aber für jede Seite neu eingehängt.' },
  groups: {
    title: 'Routengruppen',
    says: 'Ein Layout, das sich einige Routen teilen, ohne Teil ihrer URLs zu sein.',
  },
  params: {
    title: 'Params',
    says: 'Umlaute, Leerzeichen, Prozentzeichen: In einer URL funktioniert jeder Text.',
  },
  slots: {
    title: 'Parallele Slots',
    says: 'Drei Teile einer Seite, jeder mit seiner eigenen Route.',
  },
  photos: { title: 'Abgefangene Routen', says: 'Ein Bild über der Seite, die darauf verweist.' },
  fallbacks: { title: 'Ersatzseiten', says: '401, 403 und 404, mit dem richtigen Status.' },
  errors: {
    title: 'Fehler',
    says: 'Lassen Sie eine Seite, ein Layout oder eine Clientkomponente scheitern.',
  },
  faults: {
    title: 'Netzwerkfehler',
    says: 'Lassen Sie Antworten hängen, abbrechen oder beschädigt ankommen.',
  },
  arrivals: {
    title: 'Ankünfte',
    says: 'Wie jeder Seitenaufruf in diesem Tab endete, und wie lange er dauerte.',
  },
  redirects: { title: 'Weiterleitungen', says: '303, 307 und 308, und eine, die zu spät kommt.' },
  actions: {
    title: 'Serveraktionen',
    says: 'Formulare, die den Server aufrufen, auch bei schlechtem Netz.',
  },
  handlers: { title: 'Route-Handler', says: 'Alle Methoden, und Streams in beide Richtungen.' },
  request: { title: 'Header, Cookies, after', says: 'Ihre Anfrage, wie der Server sie sieht.' },
  live: { title: 'Live-Daten', says: 'Ein Besucher ändert etwas, und ein anderer sieht es.' },
  offline: {
    title: 'Offline',
    says: 'Besuchte Seiten öffnen sich ohne Netz, und Formulare warten.',
  },
  proxy: {
    title: 'proxy.ts',
    says: 'Eine geschützte Seite, eine Antwort ohne Route, eine umgeschriebene URL.',
  },
  styles: { title: 'Stylesheets', says: 'Globales CSS, CSS-Module und Sass.' },
  images: { title: 'Bilder und Schriften', says: 'Mit Hash, eingebettet oder mit festem Namen.' },
  pictures: {
    title: 'Responsive Bilder',
    says: 'In der richtigen Größe, zur richtigen Zeit geladen.',
  },
  scripts: {
    title: 'Skripte von Dritten',
    says: 'Sie laden, wenn Sie es sagen, und halten die Seite nicht auf.',
  },
  metadata: { title: 'Metadaten', says: 'Ein Titel und Tags, die sich mit der URL ändern.' },
  cards: { title: 'Vorschaubilder', says: 'Aus JSX gezeichnet, und eines, das scheitert.' },
  theme: {
    title: 'Farbschema',
    says: 'Gewähltes, systemweites und wirksames Farbschema, und erzwungene Farbschemas.',
  },
}

/** The experiments of the lab with German titles. The experiments themselves are in English. */
export const germanGroups: readonly LabGroup[] = labGroups.map(({ title, pages }) => ({
  title: germanHeadings[title] ?? title,
  pages: pages.map((page) => ({
    ...page,
    ...germanExperiments[page.href.slice('/lab/'.length)],
  })),
}))
