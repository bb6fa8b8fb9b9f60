/** The Arabic texts that no script of a page has: of fields, mails and HTML; for developers. */
export const server = {
  'svc::auth.field.email.required': 'أدخل عنوان بريدك الإلكتروني.',
  'svc::auth.field.password.required': 'أدخل كلمة المرور.',
  'svc::auth.field.type': 'أرسل هذا الحقل نصًا.',
  'svc::auth.field.length_zero': 'استخدم {{count}} حرف على الأكثر.',
  'svc::auth.field.length_one': 'استخدم حرفًا واحدًا على الأكثر.',
  'svc::auth.field.length_two': 'استخدم حرفين على الأكثر.',
  'svc::auth.field.length_few': 'استخدم {{count}} أحرف على الأكثر.',
  'svc::auth.field.length_many': 'استخدم {{count}} حرفًا على الأكثر.',
  'svc::auth.field.length_other': 'استخدم {{count}} حرف على الأكثر.',
  'svc::auth.field.characters': 'احذف الأحرف التي لا يمكن استخدامها هنا.',
  'svc::auth.field.code.required': 'أدخل الرمز.',
  'svc::auth.field.panel.unknown': 'اذكر إحدى لوحات هذه الخدمة.',
  'svc::auth.field.device.required': 'أدخل اسمًا للتطبيق.',
  'svc::auth.field.token.required': 'افتح الرابط الموجود في البريد الإلكتروني مرة أخرى.',
  'svc::auth.field.current_password.required': 'أدخل كلمة المرور الحالية.',
  'svc::auth.field.password.short_zero': 'استخدم {{count}} حرف على الأقل.',
  'svc::auth.field.password.short_one': 'استخدم حرفًا واحدًا على الأقل.',
  'svc::auth.field.password.short_two': 'استخدم حرفين على الأقل.',
  'svc::auth.field.password.short_few':
    'استخدم {{count}} أحرف على الأقل. بضع كلمات يسهل تذكرها خيار جيد.',
  'svc::auth.field.password.short_many':
    'استخدم {{count}} حرفًا على الأقل. بضع كلمات يسهل تذكرها خيار جيد.',
  'svc::auth.field.password.short_other':
    'استخدم {{count}} حرف على الأقل. بضع كلمات يسهل تذكرها خيار جيد.',
  'svc::auth.field.password.repeated': 'تكرر كلمة المرور هذه الأحرف نفسها. اختر كلمة أخرى.',
  'svc::auth.field.password.personal':
    'لا تستخدم عنوان بريدك الإلكتروني أو اسمك أو اسم اللوحة. اختر كلمة مرور أخرى.',
  'svc::auth.field.password.common': 'يستخدم كثيرون كلمة المرور هذه. اختر كلمة أخرى.',
  'svc::auth.field.password.refused': 'لا يمكن استخدام كلمة المرور هذه هنا. اختر كلمة أخرى.',
  'svc::auth.origin_unlisted':
    'المصدر {{origin}} غير مُدرج. إذا كان عنوان اللوحة فاضبط app.url (APP_URL) عليه، وإلا فأضف "{{entry}}" إلى session_auth.stateful. ثم أعد تشغيل الخدمة.',
  'svc::auth.body_consumed': 'قرأ محلّل آخر محتوى هذا الطلب. ركّب الخدمة قبله.',
  'ui.noscript': 'تحتاج هذه اللوحة إلى JavaScript. شغّله في متصفحك وأعد تحميل الصفحة.',
  'ui.boot.slow': 'يستغرق التحميل وقتًا أطول من المعتاد.',
  'mail.verify.subject': 'أكّد بريدك الإلكتروني لـ {{panel}}',
  'mail.verify.intro': 'أكّد أن هذا هو عنوان بريدك الإلكتروني.',
  'mail.verify.button': 'تأكيد البريد الإلكتروني',
  'mail.verify.lifetime_zero':
    'يعمل الرابط لمدة {{count}} دقيقة. إذا لم تطلب ذلك فتجاهل هذه الرسالة.',
  'mail.verify.lifetime_one': 'يعمل الرابط لمدة دقيقة واحدة. إذا لم تطلب ذلك فتجاهل هذه الرسالة.',
  'mail.verify.lifetime_two': 'يعمل الرابط لمدة دقيقتين. إذا لم تطلب ذلك فتجاهل هذه الرسالة.',
  'mail.verify.lifetime_few':
    'يعمل الرابط لمدة {{count}} دقائق. إذا لم تطلب ذلك فتجاهل هذه الرسالة.',
  'mail.verify.lifetime_many':
    'يعمل الرابط لمدة {{count}} دقيقة. إذا لم تطلب ذلك فتجاهل هذه الرسالة.',
  'mail.verify.lifetime_other':
    'يعمل الرابط لمدة {{count}} دقيقة. إذا لم تطلب ذلك فتجاهل هذه الرسالة.',

  'mail.reset.subject': 'اختر كلمة مرور جديدة لـ {{panel}}',
  'mail.reset.intro': 'يمكنك اختيار كلمة مرور جديدة بهذا الرابط.',
  'mail.reset.button': 'اختيار كلمة مرور جديدة',
  'mail.reset.lifetime_zero':
    'يعمل الرابط مرة واحدة لمدة {{count}} دقيقة. إذا لم تطلب ذلك فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.',
  'mail.reset.lifetime_one':
    'يعمل الرابط مرة واحدة لمدة دقيقة واحدة. إذا لم تطلب ذلك فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.',
  'mail.reset.lifetime_two':
    'يعمل الرابط مرة واحدة لمدة دقيقتين. إذا لم تطلب ذلك فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.',
  'mail.reset.lifetime_few':
    'يعمل الرابط مرة واحدة لمدة {{count}} دقائق. إذا لم تطلب ذلك فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.',
  'mail.reset.lifetime_many':
    'يعمل الرابط مرة واحدة لمدة {{count}} دقيقة. إذا لم تطلب ذلك فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.',
  'mail.reset.lifetime_other':
    'يعمل الرابط مرة واحدة لمدة {{count}} دقيقة. إذا لم تطلب ذلك فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.',

  'mail.invite.subject': 'حسابك في {{panel}}',
  'mail.invite.intro': 'يوجد حساب لك. اختر كلمة مرورك لاستخدامه.',
  'mail.invite.button': 'اختيار كلمة المرور',
  'mail.invite.lifetime_zero':
    'يعمل الرابط مرة واحدة لمدة {{count}} يوم. إذا كنت لا تتوقع حسابًا فتجاهل هذه الرسالة.',
  'mail.invite.lifetime_one':
    'يعمل الرابط مرة واحدة لمدة يوم واحد. إذا كنت لا تتوقع حسابًا فتجاهل هذه الرسالة.',
  'mail.invite.lifetime_two':
    'يعمل الرابط مرة واحدة لمدة يومين. إذا كنت لا تتوقع حسابًا فتجاهل هذه الرسالة.',
  'mail.invite.lifetime_few':
    'يعمل الرابط مرة واحدة لمدة {{count}} أيام. إذا كنت لا تتوقع حسابًا فتجاهل هذه الرسالة.',
  'mail.invite.lifetime_many':
    'يعمل الرابط مرة واحدة لمدة {{count}} يومًا. إذا كنت لا تتوقع حسابًا فتجاهل هذه الرسالة.',
  'mail.invite.lifetime_other':
    'يعمل الرابط مرة واحدة لمدة {{count}} يوم. إذا كنت لا تتوقع حسابًا فتجاهل هذه الرسالة.',

  'mail.changed.subject': 'تغيّرت كلمة مرورك في {{panel}}',
  'mail.changed.intro': 'تغيّرت كلمة مرورك. إذا كنت من غيّرها فلا يلزمك شيء: انتهت جلساتك الأخرى.',
  'mail.changed.button': 'اختيار كلمة مرور جديدة',
  'mail.changed.undo':
    'إذا لم تكن أنت، فاختر كلمة مرور جديدة الآن بهذا الرابط، وأخبر المسؤولين عن {{panel}}.',

  'mail.new_login.subject': 'تسجيل دخول جديد إلى {{panel}}',
  'mail.new_login.intro':
    'سجّل شخص ما الدخول إلى حسابك: {{browser}}، الشبكة {{network}}، {{time}}. إذا كنت أنت فلا حاجة إلى فعل شيء.',
  'mail.new_login.button': 'لم أكن أنا',
  'mail.new_login.closing_zero':
    'إذا لم تكن أنت فافتح هذا الرابط. يمكنك بعدها إنهاء كل جلسات حسابك. يعمل الرابط مرة واحدة لمدة {{count}} يوم.',
  'mail.new_login.closing_one':
    'إذا لم تكن أنت فافتح هذا الرابط. يمكنك بعدها إنهاء كل جلسات حسابك. يعمل الرابط مرة واحدة لمدة يوم واحد.',
  'mail.new_login.closing_two':
    'إذا لم تكن أنت فافتح هذا الرابط. يمكنك بعدها إنهاء كل جلسات حسابك. يعمل الرابط مرة واحدة لمدة يومين.',
  'mail.new_login.closing_few':
    'إذا لم تكن أنت فافتح هذا الرابط. يمكنك بعدها إنهاء كل جلسات حسابك. يعمل الرابط مرة واحدة لمدة {{count}} أيام.',
  'mail.new_login.closing_many':
    'إذا لم تكن أنت فافتح هذا الرابط. يمكنك بعدها إنهاء كل جلسات حسابك. يعمل الرابط مرة واحدة لمدة {{count}} يومًا.',
  'mail.new_login.closing_other':
    'إذا لم تكن أنت فافتح هذا الرابط. يمكنك بعدها إنهاء كل جلسات حسابك. يعمل الرابط مرة واحدة لمدة {{count}} يوم.',
  'mail.new_login.bell_title': 'تسجيل دخول من مكان جديد: {{browser}}',
  'mail.new_login.bell_body':
    'الشبكة {{network}}. إذا لم تكن أنت فأنهِ تلك الجلسة واختر كلمة مرور جديدة.',
  'mail.new_login.browser_on': '{{browser}} على {{system}}',
  'mail.new_login.unknown_browser': 'متصفح غير معروف',
  'mail.new_login.unknown_network': 'غير معروفة',
}
