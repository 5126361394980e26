import type { CompleteTexts } from 'waymark/server'

const reloadOrBack = 'Recargue la página para volver a intentarlo o vuelva atrás.'

/** Spanish texts of the core's screens and notices. */
export const es: CompleteTexts = {
  notices: {
    slow: 'Esta página está tardando más de lo habitual.',
    stillLoading: 'Esta página todavía se está cargando.',
    needsReload: 'Para abrir esta página hay que recargar el sitio. Perdería lo que escribió aquí.',
    failed: 'No se pudo cargar esta página. Se volverá a intentar en breve.',
    offline: 'No tiene conexión. La página se cargará cuando vuelva a tenerla.',
    missingCode: 'No se pudo cargar una parte de esta página.',
    missingActions:
      'No se pudo enviar porque falta cargar una parte de esta página. Todo lo que escribió sigue aquí.',
    redirectLoop: 'No se pudo cargar esta página porque redirige una y otra vez.',
    refused: 'No se pudo cargar esta página. El servidor rechazó la solicitud (estado {status}).',
    cookiesTooLarge:
      'No se pudo cargar esta página porque las cookies de este sitio ocupan demasiado. Si las borra, es posible que tenga que volver a iniciar sesión.',
    clearCookies: 'Borrar cookies',
    keepWaiting: 'Seguir esperando',
    reload: 'Recargar',
    open: 'Abrir la página',
    retry: 'Reintentar',
    cancel: 'Cancelar',
  },
  otherHttp: { heading: 'Se produjo un error inesperado', sentence: reloadOrBack },
  clientError: {
    heading:
      'Error de la aplicación: se produjo un error en el navegador al cargar {host} (consulte la consola del navegador para obtener más información).',
    sentence: reloadOrBack,
  },
  serverError: {
    heading:
      'Error de la aplicación: se produjo un error en el servidor al cargar {host} (consulte el registro del servidor para obtener más información).',
    sentence: reloadOrBack,
  },
  statusTitle: '{status}: {heading}',
  clientErrorTitle: 'Error de la aplicación: se produjo un error en el navegador',
  serverErrorTitle: 'Error de la aplicación: se produjo un error en el servidor',
  digest: 'Identificador del error: {digest}',
  reload: 'Recargar',
  back: 'Volver',
  home: 'Inicio',
  sizeLimit: 'El límite es de {limit}.',
  sizes: { bytes: '{size} bytes', kilobytes: '{size} kB', megabytes: '{size} MB' },
  clearCookies: 'Borrar las cookies de este sitio',
  http: {
    400: {
      heading: 'Solicitud incorrecta',
      sentence:
        'El servidor no pudo entender la solicitud. Compruebe que la dirección no contenga errores.',
    },
    401: {
      heading: 'No tiene autorización para acceder a esta página.',
      sentence: 'Inicie sesión con una cuenta que tenga acceso y vuelva a intentarlo.',
    },
    403: {
      heading: 'No se puede acceder a esta página.',
      sentence: 'No tiene permiso para ver esta página.',
    },
    404: {
      heading: 'No se encontró esta página.',
      sentence:
        'Es posible que la dirección contenga un error o que la página se haya movido o eliminado.',
    },
    405: {
      heading: 'Método no permitido',
      sentence: 'Esta dirección no admite este tipo de solicitud.',
    },
    406: {
      heading: 'Formato no disponible',
      sentence:
        'El servidor no puede enviar esta página en ningún formato que acepte su navegador.',
    },
    408: {
      heading: 'La solicitud tardó demasiado',
      sentence: 'Una parte de la solicitud no llegó. Compruebe su conexión y vuelva a intentarlo.',
    },
    409: {
      heading: 'Esta página no está actualizada',
      sentence:
        'Vuelva atrás y recargue la página. Compruebe si se guardó lo que envió antes de enviarlo de nuevo.',
    },
    411: {
      heading: 'Falta la longitud',
      sentence: 'La solicitud no indica su longitud. Recargue la página para volver a intentarlo.',
    },
    412: {
      heading: 'Esta página no está actualizada',
      sentence: 'Cambió desde que su navegador la cargó. Recárguela para ver la versión actual.',
    },
    413: {
      heading: 'El envío es demasiado grande',
      sentence:
        'Vuelva atrás y elija un archivo más pequeño o acorte el texto. Todo lo que escribió sigue allí.',
    },
    414: {
      heading: 'Esta dirección es demasiado larga',
      sentence:
        'Compruebe que la dirección no contenga errores o empiece desde la página de inicio.',
    },
    415: {
      heading: 'El servidor no puede leer este tipo de contenido',
      sentence: 'Vuelva atrás e inténtelo de nuevo. Si eligió un archivo, elija uno de otro tipo.',
    },
    416: {
      heading: 'Intervalo no disponible',
      sentence: 'Esta parte del archivo no existe. Recargue para obtener el archivo completo.',
    },
    417: {
      heading: 'Expectativa no cumplida',
      sentence:
        'El servidor no puede hacer lo que la solicitud espera. Recargue la página para volver a intentarlo.',
    },
    422: {
      heading: 'Alguno de los datos no es válido',
      sentence: 'Vuelva atrás, revise los datos y envíelos de nuevo.',
    },
    429: {
      heading: 'Demasiadas solicitudes',
      sentence: 'Espere un momento y recargue la página.',
    },
    431: {
      heading: 'Las cookies de este sitio ocupan demasiado',
      sentence:
        'Su navegador envía más cookies de las que acepta el servidor. Bórrelas para continuar. Es posible que tenga que volver a iniciar sesión.',
    },
    500: {
      heading: 'Error interno del servidor',
      sentence: 'Algo falló en el servidor. Recargue la página para volver a intentarlo.',
    },
    503: {
      heading: 'Este sitio está saturado',
      sentence: 'No puede mostrar esta página en este momento. Recárguela dentro de un instante.',
    },
    504: {
      heading: 'Tardó demasiado',
      sentence:
        'El servidor interrumpió la operación, pero es posible que una parte ya se haya realizado. Vuelva atrás y compruébelo antes de intentarlo de nuevo.',
    },
  },
  actions: {
    network: 'No se pudo enviar. Todo lo que escribió sigue aquí.',
    foreign:
      'No se pudo enviar porque la respuesta no procedía de este sitio. Todo lo que escribió sigue aquí.',
    broken: 'La respuesta llegó incompleta. Puede reintentarlo sin riesgo: nada se hará dos veces.',
    refused:
      'No se pudo enviar. El servidor lo rechazó (estado {status}). Todo lo que escribió sigue aquí.',
    cookiesTooLarge:
      'No se pudo enviar porque las cookies de este sitio ocupan demasiado. Bórrelas en los ajustes de su navegador y envíelo de nuevo. Todo lo que escribió sigue aquí.',
    late: 'Todavía no hay respuesta. Puede reintentarlo sin riesgo: nada se hará dos veces.',
    offline:
      'No tiene conexión. Todo lo que escribió sigue aquí y se enviará cuando vuelva a tenerla.',
    many: 'No se pudieron enviar {count} entradas. Todo lo que escribió sigue aquí.',
    failed: 'No se pudo completar. Todo lo que escribió sigue aquí.',
    updated: 'Este sitio se actualizó y este formulario ya no existe.',
    restored:
      'Este sitio se actualizó y la página se recargó. Todo lo que escribió sigue aquí. Envíelo de nuevo.',
    foreignOrigin: 'Solo se puede enviar desde este sitio.',
    otherUser:
      'Otra persona inició sesión en este navegador. Todo lo que escribió sigue aquí. Vuelva a iniciar sesión para enviarlo.',
    resultGone: 'Esto ya se hizo. Recargue la página para ver el resultado.',
    tooLarge: 'El envío es demasiado grande. Elija un archivo más pequeño o acorte el texto.',
    sizeLimit: 'El límite es de {limit}.',
    timeout: 'Tardó demasiado y se interrumpió. Es posible que una parte ya se haya realizado.',
    wait: 'Seguir esperando',
    retry: 'Reintentar',
    dismiss: 'Cerrar',
    ok: 'Aceptar',
  },
  files: {
    onlyOne: 'Elija un solo archivo.',
    tooMany: 'Elija {count} archivos como máximo.',
    tooLarge: '{name} ocupa más de {limit}.',
    empty: '{name} está vacío.',
    type: '{name} no tiene un formato válido. Formatos admitidos: {types}.',
  },
  theme: {
    select: { label: 'Tema', names: { system: 'Sistema', light: 'Claro', dark: 'Oscuro' } },
    toggle: {
      label: 'Tema: {state}. Cambiar a: {next}.',
      names: { system: 'sistema', light: 'claro', dark: 'oscuro', other: 'otro' },
    },
  },
}
