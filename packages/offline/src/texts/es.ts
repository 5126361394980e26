import type { OfflineTexts } from '../shared/texts.ts'

export const es: OfflineTexts = {
  page: {
    asOf: 'Versión guardada: {time}. Sin conexión.',
    title: 'Sin conexión',
    heading: 'No tiene conexión',
    sentence: 'Esta página se abrirá cuando vuelva a tener conexión.',
    savedPages: 'Todavía puede abrir estas páginas:',
    savedAsOf: 'Versión guardada: {time}',
  },
  outbox: {
    saved:
      'No tiene conexión. Sus datos se guardaron en el navegador y se enviarán cuando vuelva a tenerla.',
    savedMany:
      'No tiene conexión. Hay {count} entradas guardadas en el navegador, que se enviarán cuando vuelva a tenerla.',
    savedRefused:
      'El servidor todavía no aceptó sus datos. Se guardaron en el navegador y se volverán a enviar.',
    unsent: 'No se pudo enviar «{label}»: {message}',
    tooLargeToSave:
      'Ocupa demasiado para guardarlo y enviarlo más tarde. Deje la página abierta hasta que se haya enviado.',
    full: 'Ya hay demasiadas entradas en espera y no se puede guardar otra para enviarla más tarde. Deje la página abierta hasta que se haya enviado.',
    noSpace:
      'No queda espacio en el navegador para guardarlo y enviarlo más tarde. Deje la página abierta hasta que se haya enviado.',
    storageFailed: 'El almacenamiento del navegador no responde. Inténtelo de nuevo.',
    invalid: 'Revise los datos que introdujo.',
    signIn: 'Inicie sesión para enviarlo.',
    otherUser:
      'Otra persona inició sesión en este navegador. Su texto se conserva para usted y no se enviará en nombre de esa persona.',
    reload: 'Recargar',
    refused: 'No tiene permiso para hacer esto.',
    failed: 'Se produjo un error.',
    timeout: 'Tardó demasiado y se interrumpió. Es posible que una parte ya se haya realizado.',
    tooLarge: 'El envío es demasiado grande.',
    updated: 'Este sitio se actualizó. Edite la entrada y envíela de nuevo.',
    tooOld: 'Esta entrada es demasiado antigua para enviarse automáticamente.',
    unanswered: 'El sitio no responde.',
    edited: 'Empezó a editar esta entrada.',
    title: 'Pendiente de envío',
    waiting: 'Esperando conexión',
    sending: 'Enviando…',
    current: 'Guardado actualmente:',
    withdraw: 'Eliminar',
    edit: 'Editar',
    retry: 'Enviar ahora',
    ok: 'Aceptar',
  },
  form: {
    restored: 'Todo lo que escribió está de nuevo aquí. Todavía no se envió.',
    ok: 'Aceptar',
  },
}
