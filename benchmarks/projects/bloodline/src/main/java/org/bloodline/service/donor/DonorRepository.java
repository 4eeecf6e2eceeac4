package org.bloodline.service.donor;

import java.time.LocalDate;
import java.util.List;

import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.query.Param;

public interface DonorRepository extends JpaRepository<Donor, Long> {

    @Query("SELECT d FROM Donor d WHERE d.bloodGroup = :group ORDER BY d.fullName")
    List<Donor> ofGroup(@Param("group") String group);

    @Query(nativeQuery = true, value = """
            SELECT d.*
              FROM donor d
             WHERE d.born_on > CAST(:today AS date) - interval '73 years'
               AND NOT EXISTS (SELECT 1 FROM donor_merge m
                                WHERE m.donor_id = d.donor_id AND m.merge_action = 'hide')
             ORDER BY d.donor_no
            """)
    List<Donor> active(@Param("today") LocalDate today);

    @Modifying
    @Query(nativeQuery = true, value = """
            INSERT INTO donor_merge (donor_id, merged_into, merge_action)
            VALUES (:donor, :into, :action)
            """)
    void merge(@Param("donor") long donor, @Param("into") long into, @Param("action") String action);

    @Query(nativeQuery = true, value = """
            SELECT done_by AS system_user
              FROM donor_merge
             WHERE donor_id = :donor
             ORDER BY done_at DESC
             LIMIT 1
            """)
    String mergedBy(@Param("donor") long donor);
}
