/** The Arabic texts of the passwords layer: its refusals and its mails. */
export const passwordTexts = {
  'svc::auth.password_incorrect': 'كلمة المرور الحالية غير صحيحة. تحقق منها وحاول مرة أخرى.',
  'svc::auth.password_link_invalid': 'انتهت صلاحية هذا الرابط أو استُخدم من قبل. اطلب رابطًا جديدًا.',
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
} as const
