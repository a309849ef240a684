/* cdcseed: role_member */
SELECT IS_ROLEMEMBER(@role) AS is_member;
